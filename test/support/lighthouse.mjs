// Prints Lighthouse's result for a page, with its settings for phones, in the browser that listens on a port, on a
// processor slowed down by a factor. This is a separate process because Jest cannot link Lighthouse's modules.
import lighthouse, { defaultConfig } from 'lighthouse';

const [, , url, port, slowdown] = process.argv;
const run = await lighthouse(url, {
  port: Number(port),
  logLevel: 'silent',
  output: 'json',
  disableStorageReset: true,
  disableFullPageScreenshot: true,
  throttling: { ...defaultConfig.settings.throttling, cpuSlowdownMultiplier: Number(slowdown) },
  onlyCategories: ['performance', 'accessibility', 'best-practices'],
});
process.stdout.write(JSON.stringify(run?.lhr ?? null));
