/** What sets the wire of a dialect apart: the facts by which laws tell one dialect from another, and never by its name. */
export type Trait =
  // Requests: the model and the settings.
  /** The path names the model, and no body does. */
  | 'modelInPath'
  /** A request can name a prompt that the service keeps. */
  | 'cachedPrompts'
  /** A request says what has to be included in the answer. */
  | 'includes'
  /** A request can end the answer at strings. */
  | 'stopStrings'
  /** A request without any user content is refused. */
  | 'needsUser'
  // Requests: the conversation.
  /** Instructions come from a system or from a developer, several of them before the conversation. */
  | 'developers'
  /** Instructions hold pictures too. */
  | 'instructionMedia'
  /** Instructions stand in mid-history too. */
  | 'instructionTurns'
  /** An instruction in mid-history stands last or before an assistant. */
  | 'instructionsBeforeAnswers'
  /** An assistant can speak last, and goes on from there. */
  | 'prefill'
  /** A call wants a user in front of it. */
  | 'callsAfterUser'
  /** Where thinking is on, a tool loop begins with it. */
  | 'thinkingInLoops'
  /** Parts and tools can be marked to be cached. */
  | 'cacheMarks'
  /** Texts and search results can be documents, with a title, a context and citations. */
  | 'documents'
  /** Media have the name of their file. */
  | 'filenames'
  /** Pictures have a level of detail. */
  | 'mediaDetail'
  /** Media can be cut to a stretch of time. */
  | 'mediaClips'
  /** No sound can be sent. */
  | 'noSound'
  /** Media that stand at an address have to be sent along. */
  | 'inlineMedia'
  /** A history can hold what only its service keeps. */
  | 'keptParts'
  /** Somebody can be asked to approve of a call. */
  | 'approvals'
  // Tools.
  /** Tools can stand in namespaces. */
  | 'namespaces'
  /** Tools can take free text. */
  | 'customTools'
  /** Tools can be added in mid-history. */
  | 'lateTools'
  /** Built-in tools of clients have names, which no function of the request has then. */
  | 'namedClientTools'
  /** Results of built-in tools are of types of their own: that of a computer is a picture. */
  | 'typedResults'
  /** A service can call the tools of other servers. */
  | 'toolServers'
  /** Which tools of a server can be called is not to be restricted. */
  | 'wholeServers'
  /** Where a search is made stands beside the choice among the tools. */
  | 'coordinatesApart'
  // Schemas.
  /** What says nothing is left out of schemas, and oneOf is read as anyOf (translation.md 3.1, 3.2 rule 5). */
  | 'schemaSubset'
  /** Calls are held to their schemas for all functions or for none, forced ones always, and answers never. */
  | 'strictByChoice'
  /** Every answer is held to the schema that it is asked in. */
  | 'strictAnswers'
  /** Citations and a schema of the answer exclude each other. */
  | 'citationsOrSchema'
  // Parts of answers.
  /** Every call has an id. */
  | 'callIds'
  /** Arguments are texts. */
  | 'textArguments'
  /** A call says whether it is complete. */
  | 'callStatus'
  /** The last call of an answer that was cut may be cut itself; the wire does not say (translation.md 5.2 rule 5). */
  | 'cutCalls'
  /** A hosted call and its result are one item, which has a status. */
  | 'hostedItems'
  /** The result of a hosted call can come in another answer than the call. */
  | 'lateResults'
  /** Searches and fetches stand in metadata and not among the parts (translation.md 5.1). */
  | 'searchesAside'
  /** State of hosted pairs waits for the next part that can carry it (translation.md 4.3). */
  | 'stateWaits'
  /** Parts carry signatures. */
  | 'signedParts'
  /** Refusals are parts of their own. */
  | 'refusalParts'
  /** Texts and refusals belong to a phase of the answer. */
  | 'phases'
  /** Texts have log probabilities. */
  | 'logprobs'
  /** Log probabilities hold the bytes of their tokens. */
  | 'logprobBytes'
  /** A text ends where its citations change, for each covers a whole block (translation.md 5.5). */
  | 'citedBlocks'
  /** Paragraphs of thoughts are told apart. */
  | 'thoughtParagraphs'
  // Answers as a whole.
  /** An answer is one message: one thought, one text, and its calls behind them. */
  | 'oneMessage'
  /** An end in calls has a word of its own. */
  | 'callEnds'
  /** An answer that ends in a summary ends because of it. */
  | 'compactionEnds'
  /** An end that nobody knows is an error where nothing came but thoughts. */
  | 'failsEmpty'
  /** The details of a count can come without the count of the input. */
  | 'partialUsage'
  /** Answers say when they were made. */
  | 'creationTime'
  /** There can be several answers at once. */
  | 'candidates'
  // Streams.
  /** Comments of a stream tell what was lost. */
  | 'lossComments'
  /** A stream can be one JSON array. */
  | 'arrayStreams'
  /** Every chunk counts anew, and ids are given by the place among the chunks. */
  | 'countingChunks';
