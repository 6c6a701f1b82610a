import { claimFolder, describeFolderError } from './folder.mjs';
import { fail } from './expected-error.mjs';
import { checkNode } from './processes.mjs';

/**
 * Runs `work` while no other `npm start` may use the project's folder, then closes what it opened, last opened first, and
 * ends the process. `work` gets the folder and a function with which it registers a function that closes something.
 */
export async function inFolder(stopping, work) {
  // Writing fails once the terminal was closed; that must not prevent an orderly shutdown.
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
