import java.util.ArrayList;
import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/** Compacts a folder of RocksDB that nobody has open. Run as a source file, with a jar that has RocksDB in it. */
public class CompactRocksDb {

    public static void main(String[] arguments) throws Exception {
        String folder = arguments[0];
        List<ColumnFamilyDescriptor> families = new ArrayList<>();
        for (byte[] name : RocksDB.listColumnFamilies(new Options(), folder)) {
            families.add(new ColumnFamilyDescriptor(name));
        }
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (RocksDB database = RocksDB.open(new DBOptions(), folder, families, handles)) {
            for (ColumnFamilyHandle handle : handles) {
                database.compactRange(handle);
                handle.close();
            }
        }
    }
}
