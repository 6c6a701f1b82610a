// Runs the command of the command line that its arguments name. Tells its exit code, each line that it printed with the
// second of it, how long it took, and the most memory that the process ever had.
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
await backendModule('cli.js');
