// Loaded into a program before it starts (`node -r`), to tell its parent over their channel what it has cost since the
// parent said `begin`: processor time of all its threads and of the main one, and the longest time that its event loop
// did nothing else. A clock of its own watches the loop, since the histogram of Node counts what is idle as well.
const { readFileSync } = require('node:fs');

const EVERY_MS = 2;
let longest = 0;
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  longest = Math.max(longest, now - last - EVERY_MS);
  last = now;
}, EVERY_MS).unref();

/** Milliseconds that the main thread has computed; 0 where the system does not tell. */
function ofMainThread() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}

let cpu = process.cpuUsage();
let thread = 0;
process.on('message', (message) => {
  if (message === 'begin') {
    [longest, last, cpu, thread] = [0, performance.now(), process.cpuUsage(), ofMainThread()];
    process.send({});
    return;
  }
  const { user, system } = process.cpuUsage(cpu);
  process.send({ cpu: (user + system) / 1000, thread: ofMainThread() - thread, longest });
});
process.channel.unref();
