import { Page } from '../../ui/page.js';
import { OwnContracts } from './own-contracts.js';

/** What the student who is signed in has to sign or has signed. */
export default function OwnContractsPage() {
  return (
    <Page title="Contratos e Termos" back="/aluno">
      <OwnContracts />
    </Page>
  );
}
