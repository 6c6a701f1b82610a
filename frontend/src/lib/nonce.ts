declare global {
  // Read by `get-nonce`, from which the scroll lock of dialogs takes the nonce of its style element.
  var __webpack_nonce__: string | undefined;
}

/** The nonce with which the content security policy lets Mantine's style elements in. */
export const styleNonce: string =
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

globalThis.__webpack_nonce__ = styleNonce;
