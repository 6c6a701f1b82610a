import { open } from 'node:fs/promises';
import path from 'node:path';

/** The name of a new file is on the disk when its folder is. */
export async function syncFolderOf(file: string): Promise<void> {
  const folder = await open(path.dirname(file));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
