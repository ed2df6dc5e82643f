/** One answer in no client's words; `tool` and `city` are of its call, empty without one. */
record Turn(String text, String tool, String city, String finish, long input, long output) {}
