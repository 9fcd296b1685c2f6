// Run by memory.test.ts in a process of its own: reads a generated list reply and prints what it took, as JSON.
import { listReply, type Wrapping } from './list-reply.ts';
import { readList, replyOfBody } from './reply.ts';

const BYTES_PER_RSS_UNIT = 1024;

const [wrapping, bytes] = process.argv.slice(2);
const reply = listReply(wrapping as Wrapping, Number(bytes));
let handedOver = 0;
const { count } = await readList(replyOfBody(reply.body), ({ xml, summary }) => {
  if (summary.kind === 'nfe' && xml.endsWith('</nfeProc>')) handedOver++;
});
process.stdout.write(
  JSON.stringify({
    sent: reply.sent(),
    documents: reply.documents(),
    count,
    handedOver,
    peak: process.resourceUsage().maxRSS * BYTES_PER_RSS_UNIT,
  }),
);
