const PREFIX = 'rende.draft.';

/** What was typed into a form of this name and not sent, while this window is open. */
export function readDraft<Values>(name: string | undefined): Partial<Values> {
  try {
    return name ? (JSON.parse(sessionStorage.getItem(PREFIX + name) ?? '{}') as Partial<Values>) : {};
  } catch {
    return {};
  }
}

export function writeDraft(name: string | undefined, values: object | null): void {
  if (!name) return;
  try {
    if (values) sessionStorage.setItem(PREFIX + name, JSON.stringify(values));
    else sessionStorage.removeItem(PREFIX + name);
  } catch {
    // A browser that stores nothing keeps no draft; the form works all the same.
  }
}

/** Forgets what was typed and not sent, in every form. */
export function forgetDrafts(): void {
  try {
    for (const name of Object.keys(sessionStorage)) {
      if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
    }
  } catch {
    // Where nothing can be stored there is nothing to forget.
  }
}
