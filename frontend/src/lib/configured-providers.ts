/** The providers for which the service has keys. `signInWithOAuth` leaves the page without asking. */
export async function configuredProviders(): Promise<ReadonlySet<string>> {
  const response = await fetch('/auth/v1/settings');
  if (!response.ok) throw new Error(`The settings of the auth service answered ${response.status}`);
  const { external } = (await response.json()) as { external: Partial<Record<string, boolean>> };
  return new Set(Object.keys(external).filter((provider) => external[provider]));
}
