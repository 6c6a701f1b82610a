// Storage of this browser, which may be full, switched off or written by somebody else.

type Where = 'localStorage' | 'sessionStorage';

export function stored<Value>(where: Where, name: string, none: Value): Value {
  try {
    return (JSON.parse(window[where].getItem(name) ?? 'null') as Value | null) ?? none;
  } catch {
    return none;
  }
}

/** Null removes it. */
export function store(where: Where, name: string, value: unknown): void {
  try {
    if (value === null) window[where].removeItem(name);
    else window[where].setItem(name, JSON.stringify(value));
  } catch {
    // Then it is not kept.
  }
}
