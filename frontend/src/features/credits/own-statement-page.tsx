import { Button } from '@mantine/core';
import { http } from '../../lib/http.js';
import { saveFile } from '../../lib/save-file.js';
import { Icon } from '../../ui/icon.js';
import { Page } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt } from '../../ui/toast.js';
import { Balance } from './balance.js';
import { OWN, useOwnBalance } from './credits.queries.js';
import { Statement } from './statement.js';

const download = () =>
  attempt(
    async () => saveFile(await http.file('/student/credits/csv'), 'extrato-de-creditos.csv'),
    'Erro ao baixar o arquivo',
  );

/** Every line of the own credits, and why it is there. */
export default function OwnStatementPage() {
  return (
    <Page title="Extrato de créditos" back="/aluno" width="narrow">
      <Async of={useOwnBalance()} skeleton={<Skeletons count={1} height={110} />}>
        {(account) => <Balance account={account} />}
      </Async>
      <Statement
        studentId={OWN}
        action={
          <Button
            variant="subtle"
            size="sm"
            leftSection={<Icon name="drop" size={18} />}
            onClick={() => void download()}
          >
            Baixar CSV
          </Button>
        }
      />
    </Page>
  );
}
