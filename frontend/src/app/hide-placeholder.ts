/** Replaces the placeholder of index.html by the rendered application. */
export function hidePlaceholder(): void {
  delete document.documentElement.dataset.first;
  document.getElementById('first')?.remove();
}
