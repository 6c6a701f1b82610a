// Runs a command of the backend's command line, given as arguments. Sends its exit code, each printed line with its time in
// seconds, its duration, and the peak memory of the process.
import { backendModule } from '../start/database.mjs';

const began = performance.now();
const secondsSince = () => (performance.now() - began) / 1000;
const lines = [];
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (text) => {
    lines.push({ seconds: secondsSince(), text: String(text).trim() });
    return true;
  };
}
process.once('beforeExit', (code) => {
  process.send({ code, lines, seconds: secondsSince(), rss: process.resourceUsage().maxRSS * 1024 });
  process.disconnect();
});
await (await backendModule('cli.js')).main();
