/** Whether something stands before the address; set by `OtherNumber`. */
let stops: (href: string) => boolean = () => false;

export function standBefore(guard: typeof stops): () => void {
  stops = guard;
  return () => {
    stops = () => false;
  };
}

/** Opens WhatsApp where no link was tapped. */
export function openWhatsApp(href: string): void {
  if (!stops(href)) window.open(href, '_blank', 'noreferrer');
}
