import { authState, onAuthChange } from './auth.js';
import { Drafts } from './drafts.js';
import { owner } from './owner.js';

/** Null in a browser that stores nothing: there are no drafts then. */
function here(): Drafts | null {
  try {
    return new Drafts({ device: localStorage, window: sessionStorage, owner, now: Date.now });
  } catch {
    return null;
  }
}

const drafts = here();

/** What was typed into the form of this name and not sent. */
export const readDraft = <Values>(name: string | undefined): Partial<Values> =>
  name ? (drafts?.read(name) ?? {}) : {};

export function writeDraft(name: string | undefined, values: object): void {
  if (name) drafts?.write(name, values);
}

/** Forgets what was typed and not sent, in every form. */
export const forgetDrafts = (): void => drafts?.tidy(null);

/** Forgets what others have typed as soon as somebody is signed in. */
export function watchDrafts(): void {
  const tidy = () => {
    const state = authState();
    if (state.status === 'signed-in') drafts?.tidy(state.userId);
  };
  tidy();
  onAuthChange(tidy);
}
