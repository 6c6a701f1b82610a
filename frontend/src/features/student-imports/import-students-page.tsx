import { Button, FileButton, type ButtonProps } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { plural } from '../../../../backend/platform/plural.api.js';
import { loadPhonesAbroad } from '../../lib/phones-abroad.js';
import { usePlanChoices } from '../../parts/plan-choices.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Notice } from '../../ui/notice.js';
import { Page, Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { toast, attempt } from '../../ui/toast.js';
import { Row } from '../../ui/row.js';
import { saveFile } from '../../lib/save-file.js';
import type { FileRows } from './file-rows.js';
import classes from './import-students.module.css';
import { type ImportResult, ReviewFile } from './review-file.js';
import type { Table } from './columns.js';
import { AT_ONCE, Facts } from './line-list.js';
import { isTroubled, leftOutFile, type PreviewLine } from './lines.js';
import { readFile } from './read-file.js';
import { UnreadableFile } from './unreadable-file.js';
import type { StudentImport } from '../../../../backend/modules/student-imports/student-imports.api.js';
import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { usePastImports, useUndoImport } from './student-imports.queries.js';
import { read } from '../../lib/calls.js';
import { UndoButton } from '../../parts/undo-sheet.js';

/** The latest imports, each with an undo button; renders nothing without imports. */
function PastImports() {
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

export default function ImportStudentsPage() {
  const plans = usePlanChoices().data?.items.filter(({ is_active }) => is_active);
  const [file, setFile] = useState<FileRows | null>(null);
  const [result, setResult] = useState<ImportResult | null>(null);
  const begin = () => {
    setFile(null);
    setResult(null);
  };
  const report = (done: ImportResult) => {
    setResult(done);
    // The list of lines may have been scrolled far.
    window.scrollTo(0, 0);
  };

  return (
    <Page title="Importar alunos" back="/alunos" width="normal">
      {result ? (
        <>
          <Card>
            <Report {...result} onAgain={begin} />
          </Card>
          <Doubles of={result.doubles} />
          <LeftOut lines={result.leftOut} table={result.table} />
        </>
      ) : file && plans ? (
        <ReviewFile file={file} plans={plans} onBack={begin} onDone={report} />
      ) : (
        <>
          <Card>
            <ChooseFile ready={plans !== undefined} onFile={setFile} />
          </Card>
          <PastImports />
        </>
      )}
    </Page>
  );
}

function ChooseFile({ ready, onFile }: { ready: boolean; onFile: (file: FileRows) => void }) {
  const [busy, setBusy] = useState(false);
  const read = async (file: File | null) => {
    if (!file) return;
    setBusy(true);
    try {
      // What the server would refuse is said of each line.
      const [rows] = await Promise.all([readFile(file), loadPhonesAbroad()]);
      onFile(rows);
    } catch (error) {
      const description =
        error instanceof UnreadableFile ? error.message : 'Verifique a internet e escolha o arquivo de novo.';
      toast.error('Não foi possível ler o arquivo', { description });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Notice
      icon="people"
      title="Traga seus alunos de uma planilha ou do celular"
      action={
        <FileButton accept=".xlsx,.csv,.tsv,.txt,.vcf" onChange={(file) => void read(file)}>
          {(props) => (
            <Button {...props} loading={busy || !ready}>
              Escolher arquivo
            </Button>
          )}
        </FileButton>
      }
    >
      Planilha do Excel ou do Google (.xlsx, .csv) ou contatos exportados do celular (.vcf), com até 5.000
      linhas. Nome e WhatsApp bastam; plano, saldo de créditos, validade, e-mail e observações vêm junto. Você
      confere tudo antes de importar.
    </Notice>
  );
}

function Report({ id, count, leftOut, onAgain }: ImportResult & { onAgain: () => void }) {
  return (
    <Notice
      icon="check"
      role="status"
      title={plural(count, 'aluno importado', 'alunos importados')}
      action={
        <div className={classes.reportActions}>
          <Button component={Link} to="/alunos" fullWidth leftSection={<Icon name="people" size={18} />}>
            Ver alunos
          </Button>
          <Button variant="default" fullWidth onClick={onAgain}>
            Importar outro arquivo
          </Button>
          <UndoImport id={id} onUndone={onAgain} fullWidth />
        </div>
      }
    >
      {leftOut.length > 0
        ? `${plural(leftOut.length, 'linha ficou', 'linhas ficaram')} de fora.`
        : 'Nenhuma linha ficou de fora.'}
    </Notice>
  );
}

/** After an import: the new students who have the phone of another one; each leads to merging both records into an active one. */
function Doubles({ of: doubles }: { of: ImportResult['doubles'] }) {
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

interface LeftOutProps {
  /** The lines that were not imported, and their table. */
  lines: readonly PreviewLine[];
  table: Table;
}

/** After an import: the lines that have an error or repeat another student, with a file of them to be corrected. */
function LeftOut({ lines, table }: LeftOutProps) {
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
      <Quiet>Corrija estas linhas no arquivo e importe de novo.</Quiet>
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

interface UndoImportProps extends ButtonProps {
  id: string;
  onUndone?: () => void;
}

/** Undoes an import, except students who are in use. */
function UndoImport({ id, onUndone, ...props }: UndoImportProps) {
  const undo = useUndoImport();
  const undoAll = () =>
    attempt(async () => {
      const kept = await undo(id);
      toast.success('Importação desfeita', {
        ...(kept > 0 && {
          description: `${plural(kept, 'aluno já em uso foi mantido', 'alunos já em uso foram mantidos')}.`,
        }),
      });
      onUndone?.();
    }, 'Erro ao desfazer a importação');
  return (
    <UndoButton
      variant="subtle"
      color="red"
      what="Desfazer importação"
      of={id}
      price={(signal) => read('GET /student-imports/:id/undo/preview', { of: [id], signal })}
      onUndo={undoAll}
      {...props}
    />
  );
}
