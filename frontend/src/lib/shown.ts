import { useSearchParams } from 'react-router-dom';

/**
 * What a page's open sheet shows, by a name in the address: so it is there again after a reload, and after a sign-in. What is
 * `inside` goes with it.
 */
export function useShown(
  name: string,
  ...inside: readonly string[]
): [shown: string | null, show: (value: string | null) => void] {
  const [search, setSearch] = useSearchParams();
  const show = (value: string | null) =>
    setSearch(
      (current) => {
        for (const each of [name, ...inside]) current.delete(each);
        if (value !== null) current.set(name, value);
        return current;
      },
      // "Back" closes what is open, and does not open again what was closed.
      { replace: value === null },
    );
  return [search.get(name), show];
}
