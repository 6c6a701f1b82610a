import { MAX_LINES } from '../../../../backend/modules/student-imports/student-imports.api.js';
import type { FileRows } from './file-rows.js';
import type { FileAnswer } from './file-rows.worker.js';
import { TooLarge, UnreadableFile } from './unreadable-file.js';

const MEGABYTE = 1_000_000;
const LARGEST_FILE = 10 * MEGABYTE;
/** Old phones read 5,000 lines in a few seconds. */
const READ_MS = 20_000;

/**
 * Reads a file in a thread that is ended after some seconds, because a hostile one may need much more time than the page can
 * stand still.
 */
export async function readFile(file: File): Promise<FileRows> {
  if (file.size > LARGEST_FILE)
    throw new UnreadableFile(
      `O arquivo tem ${Math.round(file.size / MEGABYTE)} MB. Envie um de até ${LARGEST_FILE / MEGABYTE} MB.`,
    );
  const bytes = new Uint8Array(await file.arrayBuffer());
  const thread = new Worker(new URL('./file-rows.worker.ts', import.meta.url), { type: 'module' });
  let end: number | undefined;
  try {
    const answer = await new Promise<FileAnswer>((answered, failed) => {
      end = window.setTimeout(() => failed(new TooLarge()), READ_MS);
      thread.addEventListener('message', ({ data }: MessageEvent<FileAnswer>) => answered(data));
      thread.addEventListener('error', () => failed(new Error('the thread failed')));
      thread.postMessage({ bytes, mostRows: MAX_LINES }, [bytes.buffer]);
    });
    if ('problem' in answer) throw new UnreadableFile(answer.problem);
    return answer;
  } finally {
    window.clearTimeout(end);
    thread.terminate();
  }
}
