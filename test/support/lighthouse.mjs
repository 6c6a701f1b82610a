// Prints Lighthouse's result for a page, with its settings for phones, in the browser that listens on a port. This is a
// separate process because Jest cannot link Lighthouse's modules.
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
