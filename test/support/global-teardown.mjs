export default async function () {
  await globalThis.stopScratchPostgres?.();
}
