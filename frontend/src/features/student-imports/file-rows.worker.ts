import { rowsOf, type FileRows } from './file-rows.js';
import { UnreadableFile } from './unreadable-file.js';

/** Either what the file has, or what the user is told. */
export type FileAnswer = FileRows | { problem: string };

addEventListener('message', ({ data }: MessageEvent<{ bytes: Uint8Array; mostRows: number }>) => {
  void answer(data.bytes, data.mostRows).then((answered) => postMessage(answered));
});

async function answer(bytes: Uint8Array, mostRows: number): Promise<FileAnswer> {
  try {
    return await rowsOf(bytes, mostRows);
  } catch (error) {
    if (error instanceof UnreadableFile) return { problem: error.message };
    throw error;
  }
}
