// Loaded into a program before it starts (`node -r`), to tell its parent over their channel what it has cost since the
// parent said `begin`: processor time of all its threads and of the main one, and the most that it computed, and the
// longest it took, before its event loop turned again. A clock of its own watches the loop, since the histogram of Node
// counts what is idle as well, and on a busy machine what others computed.
const { computed } = require('./computed.cjs');

const EVERY_MS = 2;

let [longest, most] = [0, 0];
let [last, lastComputed] = [performance.now(), computed()];
setInterval(() => {
  const [now, nowComputed] = [performance.now(), computed()];
  longest = Math.max(longest, now - last - EVERY_MS);
  most = Math.max(most, nowComputed - lastComputed);
  [last, lastComputed] = [now, nowComputed];
}, EVERY_MS).unref();

let cpu = process.cpuUsage();
let thread = 0;
process.on('message', (message) => {
  if (message === 'begin') {
    [longest, most, cpu, thread] = [0, 0, process.cpuUsage(), computed()];
    process.send({});
    return;
  }
  const { user, system } = process.cpuUsage(cpu);
  process.send({ cpu: (user + system) / 1000, thread: computed() - thread, longest, most });
});
process.channel.unref();
