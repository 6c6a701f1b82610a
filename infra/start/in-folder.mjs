import { claimFolder, describeFolderError } from './folder.mjs';
import { fail } from './halt.mjs';
import { checkNode } from './processes.mjs';

/**
 * Does this work in the project's folder, which no other start may use meanwhile, closes what it opened, the last first, and
 * ends the process. `work` gets the folder and a function that takes what closes one more thing.
 */
export async function inFolder(stopping, work) {
  // A terminal that was closed takes no more text; what is running still has to be stopped in order.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  const closers = [];
  const opened = (close) => closers.unshift(close);
  try {
    checkNode();
    const folder = await claimFolder();
    opened(folder.release);
    await work(folder, opened);
  } catch (error) {
    if (!stopping.signal.aborted) fail(describeFolderError(error));
  }
  for (const close of closers) await close();
  process.exit();
}
