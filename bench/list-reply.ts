// How fast a long list reply is read and how much memory that takes: `node bench/run.mjs list-reply [json|wrapper|bare|side-by-side] [MB]`.
import { readDocuments } from '../src/clients/tax-documents/replies/index.ts';
import { listReply, type Wrapping } from '../test/clients/replies/list-reply.ts';
import { replyOfBody } from '../test/clients/replies/reply.ts';
import { toTheEnd } from './to-the-end.mjs';

const MEBIBYTE = 1024 * 1024;

async function measure(wrapping: Wrapping, megabytes: number): Promise<void> {
  const reply = listReply(wrapping, megabytes * MEBIBYTE);
  let handedOver = 0;
  const started = performance.now();
  const reading = readDocuments(replyOfBody(reply.body));
  let next = await reading.next();
  for (; next.done !== true; next = await reading.next()) handedOver++;
  const { count } = next.value;
  const seconds = (performance.now() - started) / 1000;
  const peak = process.resourceUsage().maxRSS / 1024;
  const rate = reply.sent() / MEBIBYTE / seconds;
  console.log(
    `${wrapping}: ${count} documents (${handedOver} handed over), ${rate.toFixed(1)} MB/s, peak ${peak.toFixed(0)} MB`,
  );
}

async function main(wanted = 'all', megabytes = '200'): Promise<void> {
  const wrappings: Wrapping[] = ['json', 'wrapper', 'bare', 'side-by-side'];
  for (const each of wrappings)
    if (wanted === 'all' || wanted === each) await measure(each, Number(megabytes));
}

void toTheEnd(() => main(...process.argv.slice(2)));
