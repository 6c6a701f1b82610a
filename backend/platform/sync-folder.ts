import { open } from 'node:fs/promises';
import path from 'node:path';

/** Syncs a folder to disk, which makes the name of a new file durable. */
export async function syncFolderOf(file: string): Promise<void> {
  const folder = await open(path.dirname(file));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
