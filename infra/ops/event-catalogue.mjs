import { backendModule } from '../start/database.mjs';

const INTRODUCTION = `# Events

Every fact that the log can hold, by aggregate. Made by \`npm run generate\` from the modules, and checked by
\`npm run check\`: do not edit. The shape of each event's data stands in the aggregate's file.

- **version**: of the stored shape. A stored shape never changes; a new one is a new version with an upcaster.
- **personal**: fields that are stored encrypted with the key of the person whom they are about.
- **guards** are written with the event, in the command's transaction; **projections** and **reactions** follow in the worker.
`;

/** The catalogue of events as Markdown: what each event is about, and which code reads it. */
export async function eventCatalogue() {
  const [{ AppModule }, { featuresOf }] = await Promise.all(
    ['app.module.js', 'platform/features.js'].map(backendModule),
  );
  const { aggregates, guards, projections, reactions } = featuresOf(AppModule).all;
  const readers = (consumers, type) =>
    consumers
      .filter(({ events }) => events.includes(type))
      .map(({ name }) => name)
      .sort()
      .join(', ');
  const rowOf = ([type, { schemaVersion, personal, forgets }]) => {
    const fields = [personal ?? []]
      .flat()
      .flatMap((part) => part.fields)
      .join(', ');
    const about = forgets ? 'destroys the key of the person' : fields;
    const cells = [
      type,
      schemaVersion,
      about,
      readers(guards, type),
      readers(projections, type),
      readers(reactions, type),
    ];
    return `| ${cells.join(' | ')} |`;
  };
  const sections = aggregates
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ name, events, fold }) =>
      [
        `## ${name}`,
        ...(fold === undefined ? [] : [`Kept as snapshots, fold ${fold}.`]),
        [
          '| event | version | personal | guards | projections | reactions |',
          '| --- | --- | --- | --- | --- | --- |',
          ...Object.entries(events).map(rowOf),
        ].join('\n'),
      ].join('\n\n'),
    );
  return `${[INTRODUCTION.trimEnd(), ...sections].join('\n\n')}\n`;
}
