import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** What DBeaver asks by JDBC: metadata for its tree, rows, a bound parameter. Argument: the address. */
public class Jdbc {
  interface Ask {
    ResultSet ask() throws SQLException;
  }

  public static void main(String[] args) throws Exception {
    Properties login = new Properties();
    login.setProperty("user", "me");
    login.setProperty("password", "mallory");
    try (Connection connection = DriverManager.getConnection(args[0], login);
        Statement statement = connection.createStatement();
        PreparedStatement bound = connection.prepareStatement("SELECT count() FROM replies WHERE probe_ttl = ?")) {
      DatabaseMetaData data = connection.getMetaData();
      System.out.println("product " + data.getDatabaseProductName() + " " + connection.isValid(30));
      print("schemas", 1, data.getSchemas());
      print("tables", 3, data.getTables(null, null, "%", null));
      print("columns", 6, data.getColumns(null, "vantage", "replies", "%"));
      print("keys", 3, data.getPrimaryKeys(null, "vantage", "replies"));
      print("indexes", 3, data.getIndexInfo(null, "vantage", "replies", false, true));
      print("types", 1, data.getTypeInfo());
      statement.setMaxRows(200);
      print("rows", 3, () -> statement.executeQuery(
          "SELECT agent_id, probe_dst_addr, rtt FROM vantage.replies ORDER BY rtt, probe_dst_addr"));
      print("engines", 2, () -> statement.executeQuery("SELECT name, engine FROM system.databases ORDER BY name"));
      print("refused", 1, () -> statement.executeQuery("SELECT * FROM measure.replies"));
      bound.setInt(1, 2);
      print("bound", 1, bound.executeQuery());
    }
  }

  static void print(String name, int columns, Ask ask) {
    try {
      print(name, columns, ask.ask());
    } catch (SQLException error) {
      System.out.println(name + " failed: " + error.getMessage());
    }
  }

  static void print(String name, int columns, ResultSet rows) throws SQLException {
    StringBuilder text = new StringBuilder(name);
    while (rows.next()) {
      text.append(" [");
      for (int i = 1; i <= Math.min(columns, rows.getMetaData().getColumnCount()); i++) {
        text.append(i > 1 ? "," : "").append(rows.getString(i));
      }
      text.append("]");
    }
    System.out.println(text);
  }
}
