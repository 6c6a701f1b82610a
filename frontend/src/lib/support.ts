const given = document.querySelector<HTMLMetaElement>('meta[name=support]')?.content ?? '';

/** Where help is found (`SUPPORT_URL`); null where nobody offers it. */
export const supportUrl: string | null = /^https?:/.test(given) ? given : null;
