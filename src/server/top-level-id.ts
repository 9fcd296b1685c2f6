/** The `id` of a JSON-RPC request. */
export type RequestId = string | number;

/** Characters of a name or value that are looked at; ids are short. */
const LONGEST_TOKEN = 256;

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COLON, COMMA] = Buffer.from('"\\{}[]:,');

/** Reads the members of a message's outermost object, however long it is, and keeps nothing else of it. */
export interface TopLevelReader {
  read(bytes: Uint8Array): void;
  /** Its id, where it is a request; undefined where it is none, or is no JSON. */
  requestId(): RequestId | undefined;
}

export function createTopLevelReader(): TopLevelReader {
  let depth = 0;
  let isList = false;
  let isInString = false;
  let isEscaped = false;
  let token = '';
  let name = '';
  let id: unknown;
  let hasMethod = false;

  const add = (byte: number): void => {
    if (depth === 1 && token.length < LONGEST_TOKEN) token += String.fromCharCode(byte);
  };

  const endMember = (): void => {
    if (name === '"id"') id = parsed(token);
    if (name === '"method"') hasMethod = true;
    name = '';
    token = '';
  };

  function readInString(byte: number): void {
    add(byte);
    if (isEscaped) isEscaped = false;
    else if (byte === BACKSLASH) isEscaped = true;
    else if (byte === QUOTE) isInString = false;
  }

  function readOutside(byte: number): void {
    if (byte === OPEN || byte === OPEN_LIST) {
      if (depth === 0) isList = byte === OPEN_LIST;
      depth += 1;
    } else if (byte === CLOSE || byte === CLOSE_LIST) {
      if (depth === 1) endMember();
      depth -= 1;
    } else if (byte === QUOTE) {
      isInString = true;
      add(byte);
    } else if (depth === 1 && byte === COLON) {
      name = token.trim();
      token = '';
    } else if (depth === 1 && byte === COMMA) endMember();
    else add(byte);
  }

  return {
    read(bytes) {
      for (const byte of bytes) {
        if (isInString) readInString(byte);
        else readOutside(byte);
      }
    },
    requestId() {
      const isWhole = depth === 0 && !isInString && !isList && hasMethod;
      return isWhole && (typeof id === 'string' || Number.isSafeInteger(id)) ? (id as RequestId) : undefined;
    },
  };
}

/** Undefined for what is cut or no JSON. */
function parsed(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'latin1').toString('utf8'));
  } catch {
    return undefined;
  }
}
