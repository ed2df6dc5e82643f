/** One conversation: of one turn, or with a tool and two. */
final class Asking {
  final String model;
  final boolean stream;
  final boolean tool;
  /** The gateway wrote the answer, with all that an SDK calls required. */
  final boolean translated;
  /** Set once a piece of text came, also where the stream then breaks. */
  volatile boolean seen = false;

  Asking(String model, boolean stream, boolean tool, boolean translated) {
    this.model = model;
    this.stream = stream;
    this.tool = tool;
    this.translated = translated;
  }
}
