/** Shows what the application has drawn, in place of what index.html shows at first. */
export function unveil(): void {
  delete document.documentElement.dataset.first;
  document.getElementById('first')?.remove();
}
