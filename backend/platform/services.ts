/** Services of Nest by the names under which a command or query uses them. */
export type Services = Readonly<Record<string, abstract new (...args: never[]) => unknown>>;

type Work<First, Args extends unknown[], Result> = (first: First, ...args: Args) => Result;

/** Gets the instances of the services after its first argument. */
export type WorkWith<Named extends Services, First, Args extends unknown[], Result> = (
  first: First,
  services: { readonly [Name in keyof Named]: InstanceType<Named[Name]> },
  ...args: Args
) => Result;

interface Using<First, Args extends unknown[], Result> {
  /** What Nest has to inject. */
  services: unknown[];
  /** The work with these instances of the services. */
  workWith: (instances: readonly unknown[]) => Work<First, Args, Result>;
}

/** Takes the last arguments of `defineCommand` and `defineQuery` apart: work, or services and work. */
export function using<Named extends Services, First, Args extends unknown[], Result>(
  given: [Work<First, Args, Result>] | [Named, WorkWith<Named, First, Args, Result>],
): Using<First, Args, Result> {
  if (given.length === 1) return { services: [], workWith: () => given[0] };
  const [named, work] = given;
  const names = Object.keys(named);
  return {
    services: Object.values(named),
    workWith: (instances) => {
      const services = Object.fromEntries(names.map((name, at) => [name, instances[at]]));
      return (first, ...args) => work(first, services as Parameters<typeof work>[1], ...args);
    },
  };
}
