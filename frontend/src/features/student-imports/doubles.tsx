import { Card } from '../../ui/card.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import type { ImportResult } from './review-file.js';

/** After an import: the new students who have the phone of another one; each leads to merging both records into an active one. */
export function Doubles({ of: doubles }: { of: ImportResult['doubles'] }) {
  const pairs = doubles.flatMap(({ line: { nome, linha, body, double }, student_id }) => {
    const { id, arquivado } = double!.known!;
    if (arquivado && body?.inativo) return [];
    const [kept, other] = arquivado ? [student_id, id] : [id, student_id];
    return [
      { linha, nome, same: `Mesmo ${double!.same} de ${double!.as}`, to: `/alunos/${kept}?juntar=${other}` },
    ];
  });
  if (pairs.length === 0) return null;
  return (
    <Section title="A mesma pessoa? Junte os cadastros">
      <Card flush>
        {pairs.map(({ linha, nome, same, to }) => (
          <Row key={linha} title={nome} facts={same} to={to} />
        ))}
      </Card>
    </Section>
  );
}
