import { Button } from '@mantine/core';
import { useState } from 'react';
import { plural } from '../../../../backend/platform/plural.api.js';
import { saveFile } from '../../lib/save-file.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { attempt } from '../../ui/toast.js';
import type { Table } from './columns.js';
import classes from './import-students.module.css';
import { AT_ONCE, Facts } from './line-list.js';
import { leftOutFile } from './left-out-file.js';
import { isTroubled, type PreviewLine } from './lines.js';

interface LeftOutProps {
  /** The lines that were not imported, and their table. */
  lines: readonly PreviewLine[];
  table: Table;
}

/** After an import: the lines that have an error or repeat another student, with a file of them to be corrected. */
export function LeftOut({ lines, table }: LeftOutProps) {
  const [shown, setShown] = useState(AT_ONCE);
  const troubled = lines.filter(isTroubled);
  if (troubled.length === 0) return null;
  const download = () =>
    attempt(
      async () => saveFile(await leftOutFile(troubled, table), 'alunos-de-fora.csv'),
      'Erro ao baixar o arquivo',
    );
  return (
    <Section title="O que ficou de fora">
      <Card flush>
        {troubled.slice(0, shown).map((line) => (
          <div key={line.linha} className={classes.line}>
            {line.nome}
            <div className={classes.reasons}>
              <Facts line={line} />
            </div>
          </div>
        ))}
        {troubled.length > shown && (
          <Button variant="subtle" fullWidth onClick={() => setShown(shown + AT_ONCE)}>
            Mostrar mais {plural(Math.min(AT_ONCE, troubled.length - shown), 'linha', 'linhas')}
          </Button>
        )}
      </Card>
      <p className={classes.more}>Corrija estas linhas no arquivo e importe de novo.</p>
      <Button
        variant="default"
        fullWidth
        leftSection={<Icon name="drop" size={18} />}
        onClick={() => void download()}
      >
        Baixar {plural(troubled.length, 'linha', 'linhas')} (.csv)
      </Button>
    </Section>
  );
}
