import GRDB

/// The tables of the store, and how each version follows from the one before.
///
/// A released migration is never changed; new ones are added at the end.
enum StoreSchema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("favorites") { database in
      try database.create(table: "favorite") { table in
        table.primaryKey("id", .integer)
        table.column("addedAt", .datetime).notNull().defaults(sql: "CURRENT_TIMESTAMP")
      }
    }
    migrator.registerMigration("searches and calls") { database in
      try database.create(table: "search") { table in
        table.primaryKey("key", .text)
        table.column("page", .blob).notNull()
        table.column("size", .integer).notNull()
        table.column("keptAt", .double).notNull().indexed()
      }
      try database.create(table: "call") { table in
        table.column("service", .text).notNull()
        table.column("madeAt", .double).notNull()
      }
      try database.create(index: "call_service_madeAt", on: "call", columns: ["service", "madeAt"])
    }
    migrator.registerMigration("documents") { database in
      try database.create(table: "document") { table in
        table.autoIncrementedPrimaryKey("number")
        table.column("address", .text).notNull().unique()
        table.column("body", .blob).notNull()
        table.column("entityTag", .text)
        table.column("lastModified", .text)
        table.column("freshUntil", .double).notNull()
        table.column("mayBeUsedStale", .boolean).notNull()
      }
    }
    // The sizes come from the index: in the table they are behind the pages, which SQLite would
    // have to read.
    migrator.registerMigration("sizes of searches") { database in
      try database.drop(index: "search_on_keptAt")
      try database.create(
        index: "search_keptAt_size", on: "search", columns: ["keptAt", "size"])
    }
    return migrator
  }
}
