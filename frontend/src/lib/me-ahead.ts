declare global {
  interface Window {
    /** `GET /me`, asked by index.html before any code of ours had come (see `preloads.ts`). */
    rendeMe?: Promise<Response> | undefined;
  }
}

/** What it was answered, once; null where it was not asked, not answered or refused: then it is asked as ever. */
export async function meAhead<Answer>(): Promise<Answer | null> {
  const asked = window.rendeMe;
  window.rendeMe = undefined;
  try {
    const response = await asked;
    return response?.ok ? ((await response.json()) as Answer) : null;
  } catch {
    return null;
  }
}
