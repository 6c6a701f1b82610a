const given = document.querySelector<HTMLMetaElement>('meta[name=support]')?.content ?? '';

/** Support address (`SUPPORT_URL`); null if none is configured. */
export const supportUrl: string | null = /^(https?|mailto):/.test(given) ? given : null;
