@NullMarked
package org.anabranch.service;

import org.jspecify.annotations.NullMarked;
