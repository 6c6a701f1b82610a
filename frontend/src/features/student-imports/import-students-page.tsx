import { Button, FileButton } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { plural } from '../../../../backend/platform/plural.api.js';
import { loadPhonesAbroad } from '../../lib/phones-abroad.js';
import { usePlanChoices } from '../../parts/plan-choices.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Notice } from '../../ui/notice.js';
import { Page } from '../../ui/page.js';
import { toast } from '../../ui/toast.js';
import type { FileRows } from './file-rows.js';
import classes from './import-students.module.css';
import { Doubles } from './doubles.js';
import { LeftOut } from './left-out.js';
import { PastImports } from './past-imports.js';
import { readFile } from './read-file.js';
import { type ImportResult, ReviewFile } from './review-file.js';
import { UndoImport } from './undo-import.js';
import { UnreadableFile } from './unreadable-file.js';

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
