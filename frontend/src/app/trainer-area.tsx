import { signOut } from '../features/accounts/sign-out.js';
import { Onboarding } from '../features/settings/onboarding.js';
import { MemberArea } from './member-area.js';
import { OfflineCopy } from './offline-copy.js';
import { PendingSender } from './pending-sender.js';
import { Shell } from './shell/shell.js';

export default function TrainerArea({ userId }: { userId: string }) {
  return (
    <MemberArea userId={userId} role="personal">
      <OfflineCopy />
      <PendingSender />
      <Shell />
      <Onboarding onSignOut={() => void signOut()} />
    </MemberArea>
  );
}
