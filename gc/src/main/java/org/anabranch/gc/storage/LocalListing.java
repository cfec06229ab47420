package org.anabranch.gc.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.iceberg.io.CloseableIterator;
import org.apache.iceberg.io.FileInfo;
import org.jspecify.annotations.Nullable;

/**
 * The regular files below a folder, or the one that a path names itself, read from the disk while they are asked for: memory
 * goes with the depth, not with the number of files. What vanishes on the way is left out, and so is a file whose name cannot
 * be spelled in the character set of this process.
 */
final class LocalListing implements CloseableIterator<FileInfo> {

    private record OpenFolder(DirectoryStream<Path> stream, Iterator<Path> children) {}

    private final Deque<OpenFolder> open = new ArrayDeque<>();
    private @Nullable FileInfo next;

    LocalListing(Path root) {
        try {
            visit(root);
        } catch (IOException e) {
            throw failed(e);
        }
        if (next == null) {
            advance();
        }
    }

    @Override
    public boolean hasNext() {
        return next != null;
    }

    @Override
    public FileInfo next() {
        FileInfo file = next;
        if (file == null) {
            throw new NoSuchElementException();
        }
        advance();
        return file;
    }

    @Override
    public void close() throws IOException {
        while (!open.isEmpty()) {
            open.pop().stream().close();
        }
    }

    private void advance() {
        next = null;
        try {
            while (next == null && !open.isEmpty()) {
                OpenFolder folder = open.peek();
                if (folder.children().hasNext()) {
                    visit(folder.children().next());
                } else {
                    open.pop().stream().close();
                }
            }
        } catch (DirectoryIteratorException e) {
            throw failed(e.getCause());
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private void visit(Path path) throws IOException {
        BasicFileAttributes attributes;
        try {
            attributes = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return;
        }
        if (attributes.isDirectory()) {
            enter(path);
        } else if (attributes.isRegularFile() && isSpelled(path)) {
            next = new FileInfo(
                    path.toString(),
                    attributes.size(),
                    attributes.lastModifiedTime().toMillis());
        }
    }

    private void enter(Path folder) {
        try {
            DirectoryStream<Path> stream = Files.newDirectoryStream(folder);
            open.push(new OpenFolder(stream, stream.iterator()));
        } catch (NoSuchFileException e) {
            // Somebody removed it since its parent was read.
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static boolean isSpelled(Path path) {
        String text = path.toString();
        return text.indexOf('\uFFFD') < 0 && Path.of(text).equals(path);
    }

    private UncheckedIOException failed(IOException cause) {
        try {
            close();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
        return new UncheckedIOException(cause);
    }
}
