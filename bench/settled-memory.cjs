// Loaded into a program before it starts (`node --expose-gc -r`): says over their channel, when its parent asks, how much
// memory the process has once what nobody holds is given back. Where the collector was last says nothing of that: it
// lets tens of megabytes lie while there is room.
const { setTimeout: pause } = require('node:timers/promises');

process.on('message', async () => {
  for (let round = 0; round < 3; round++) {
    global.gc();
    await pause(100);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send({ rss, heapUsed, external });
});
process.channel.unref();
