import { Transform } from 'node:stream';

/** The `id` of a JSON-RPC request. */
type RequestId = string | number;

const LINE_FEED = 0x0a;

/** Bytes that are kept of either end of a line too long, to find the request's id: ids are short. */
const KEPT_OF_ENDS = 512;

const ID = String.raw`"id"\s*:\s*(-?\d{1,15}|"(?:[^"\\]|\\.){0,256}")`;
/** A request with its id before or after what it carries; members of other objects than the outermost can't match. */
const BEGINNING = new RegExp(
  String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:${ID}\s*,\s*)?"method"\s*:`,
);
const END = new RegExp(String.raw`(?<!\\)${ID}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`);

/** Whose request a line was, by its beginning and its end; undefined where it was none, or that can't be seen. */
function requestIdOf(beginning: string, end: string): RequestId | undefined {
  const [request, ended] = [BEGINNING.exec(beginning), END.exec(end)];
  const id = request && (request[1] ?? ended?.[1]);
  return id == null ? undefined : (JSON.parse(id) as RequestId);
}

/**
 * Passes on lines of at most so many bytes, each whole, so that no more than one is ever held. A longer one is dropped
 * as it comes; at its end `refuse` is called with the id of the request that it was.
 */
export function boundedLines(longest: number, refuse: (id: RequestId | undefined) => void): Transform {
  let held: Buffer[] = [];
  let length = 0;
  let beginning: string | undefined;
  let end = Buffer.alloc(0);

  const take = (part: Buffer): void => {
    length += part.length;
    held.push(part);
    if (length <= longest) return;
    const bytes = Buffer.concat([end, ...held]);
    beginning ??= bytes.toString('utf8', 0, KEPT_OF_ENDS);
    // A copy, so that the line is let go.
    end = Buffer.from(bytes.subarray(-KEPT_OF_ENDS));
    held = [];
  };

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
        take(chunk.subarray(from, at));
        if (beginning === undefined) this.push(Buffer.concat([...held, chunk.subarray(at, at + 1)]));
        else refuse(requestIdOf(beginning, end.toString()));
        [held, length, beginning, end] = [[], 0, undefined, Buffer.alloc(0)];
        from = at + 1;
      }
      // A copy: the chunk it stands in would be kept with it.
      if (from < chunk.length) take(Buffer.from(chunk.subarray(from)));
      done();
    },
  });
}
