// Run by memory.long.test.ts in a process of its own: reads a generated list reply and prints what it took, as JSON.
import { listReply, type Wrapping } from './list-reply.ts';
import { readList, replyOfBody } from './reply.ts';

const BYTES_PER_RSS_UNIT = 1024;

const [wrapping, documents] = process.argv.slice(2);
let sent = 0;
async function* body(): AsyncGenerator<Uint8Array> {
  for (const piece of listReply(wrapping as Wrapping, Number(documents))) {
    sent += piece.length;
    yield Buffer.from(piece);
  }
}
let handedOver = 0;
const { count } = await readList(replyOfBody(body()), ({ xml, summary }) => {
  if (summary.kind === 'nfe' && xml.endsWith('</nfeProc>')) handedOver++;
});
const peak = process.resourceUsage().maxRSS * BYTES_PER_RSS_UNIT;
process.stdout.write(JSON.stringify({ sent, count, handedOver, peak }));
