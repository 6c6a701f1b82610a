const ends: (() => unknown)[] = [];

/** Registers a function that closes something at the end of the test file; the last one opened is closed first. */
export function atEnd(close: () => unknown): void {
  ends.push(close);
}

/** Closes what the test file opened. */
export async function closeAll(): Promise<void> {
  for (const close of ends.splice(0).reverse()) await close();
}
