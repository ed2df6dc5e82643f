import java.util.List;

/** A client of one dialect. */
record Client(String dialect, Converse ask) {
  /** Holds a conversation and gives its turns. */
  interface Converse {
    List<Turn> hold(Asking asking) throws Exception;
  }
}
