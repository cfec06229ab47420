package org.anabranch.cli.gc.laws;

import org.projectnessie.model.IcebergTable;
import org.projectnessie.model.Reference;

/**
 * Whether something that may be dead already can live again. Nobody can bring back a table whose files were rightly deleted, and
 * whoever takes up an old hash or an old metadata file has to look; so do the steps of a {@link RandomLake}.
 */
interface Revival {

    /** Everything that a reference, which need not exist, would keep alive at its hash is there. */
    boolean isWhole(Reference reference);

    /** Every file that a table needs in this version is there. */
    boolean isWhole(IcebergTable version);

    /** Before anything was deleted. */
    Revival ALWAYS = new Revival() {
        @Override
        public boolean isWhole(Reference reference) {
            return true;
        }

        @Override
        public boolean isWhole(IcebergTable version) {
            return true;
        }
    };
}
