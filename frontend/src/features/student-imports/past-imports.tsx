import type { StudentImport } from '../../../../backend/modules/student-imports/student-imports.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { usePastImports } from './student-imports.queries.js';
import { UndoImport } from './undo-import.js';

/** The latest imports, each with an undo button; renders nothing without imports. */
export function PastImports() {
  const { data } = usePastImports();
  const zone = useZone();
  if (!data || data.items.length === 0) return null;
  return (
    <Section title="Importações anteriores">
      <Card flush>
        {data.items.map((item) => (
          <Row
            key={item.id}
            title={plural(item.alunos, 'aluno', 'alunos')}
            facts={[formatMoment(item.em, zone), outcome(item)].filter(Boolean).join(' · ')}
            actions={item.removidos + item.mantidos < item.alunos && <UndoImport id={item.id} size="sm" />}
          />
        ))}
      </Card>
    </Section>
  );
}

function outcome({ removidos, mantidos }: StudentImport): string {
  if (removidos + mantidos === 0) return '';
  return mantidos === 0
    ? 'Desfeita'
    : `Desfeita, ${plural(mantidos, 'aluno já em uso mantido', 'alunos já em uso mantidos')}`;
}
