// Prints what Lighthouse finds, as on a phone, on a page of the browser that listens on a port. It is a process of its own
// because Jest cannot link Lighthouse's modules.
import lighthouse from 'lighthouse';

const [, , url, port] = process.argv;
const run = await lighthouse(url, {
  port: Number(port),
  logLevel: 'silent',
  output: 'json',
  disableStorageReset: true,
  disableFullPageScreenshot: true,
  onlyCategories: ['performance', 'accessibility', 'best-practices'],
});
process.stdout.write(JSON.stringify(run?.lhr ?? null));
