const ends: (() => unknown)[] = [];

/** Has something that was opened closed when the test file ends: the last one opened first. */
export function atEnd(close: () => unknown): void {
  ends.push(close);
}

/** Closes what the test file opened. */
export async function closeAll(): Promise<void> {
  for (const close of ends.splice(0).reverse()) await close();
}
