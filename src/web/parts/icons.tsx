const Icon = ({ path, class: name = '' }: { path: string; class?: string }) => (
  <svg class={`i ${name}`} viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
)

export const ChatIcon = () => <Icon path="M4 5.5h16v11H10l-4.5 3.5v-3.5H4z" />
export const MarketIcon = () => <Icon path="M4 10v9.5h16V10M3 8l1.8-4h14.4L21 8a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0z" />
export const RankIcon = () => <Icon path="M5 20v-7M12 20V4M19 20V9" />
export const PersonIcon = () => <Icon path="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20a7.5 7.5 0 0 1 15 0" />
export const ListIcon = () => <Icon path="M4 7h16M4 12h16M4 17h10" />
export const UpIcon = () => <Icon path="M12 19V5M6 11l6-6 6 6" />
export const DownIcon = () => <Icon path="M12 5v14M6 13l6 6 6-6" />
export const ChevronIcon = () => <Icon class="chev" path="m6 9 6 6 6-6" />
export const BackIcon = () => <Icon path="m15 6-6 6 6 6" />
export const CheckIcon = () => <Icon path="m5 12.5 4.5 4.5L19 7.5" />
export const CrossIcon = () => <Icon path="M6 6l12 12M18 6 6 18" />
export const ClockIcon = () => <Icon path="M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 7.5V12l3 2" />
export const WarnIcon = () => <Icon path="M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.1" />
export const CoinIcon = () => (
  <Icon path="M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM14.5 9.5c-.6-2-5-1.9-5 .3 0 2.5 5 1.7 5 4.3 0 2.3-4.5 2.4-5.2.3M12 7v10" />
)
export const AgainIcon = () => (
  <Icon path="M4.5 12a7.5 7.5 0 0 1 13-5l2 2M19.5 4.5V9H15M19.5 12a7.5 7.5 0 0 1-13 5l-2-2M4.5 19.5V15H9" />
)
export const ReturnIcon = () => <Icon path="M9 4 4 9l5 5M4 9h10a5.5 5.5 0 0 1 0 11h-2" />
export const CopyIcon = () => (
  <Icon path="M10.5 8h7A2.5 2.5 0 0 1 20 10.5v7a2.5 2.5 0 0 1-2.5 2.5h-7A2.5 2.5 0 0 1 8 17.5v-7A2.5 2.5 0 0 1 10.5 8zM16 8V6.5A2.5 2.5 0 0 0 13.5 4h-7A2.5 2.5 0 0 0 4 6.5v7A2.5 2.5 0 0 0 6.5 16H8" />
)
export const DownloadIcon = () => <Icon path="M12 4v11M7 10.5l5 5 5-5M5 20h14" />
export const RawIcon = () => <Icon path="m8 7-5 5 5 5M16 7l5 5-5 5" />
export const ShieldIcon = () => <Icon path="M12 3.5 5 6v5.5c0 4.5 3 7.5 7 9 4-1.5 7-4.5 7-9V6z" />
export const SunIcon = () => (
  <Icon
    class="sun"
    path="M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1"
  />
)
export const MoonIcon = () => <Icon class="moon" path="M20 14.5A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.5z" />
export const PlusIcon = () => <Icon path="M12 5v14M5 12h14" />
export const PenIcon = () => <Icon path="m4.5 19.5 1-4L16 5l3 3L8.5 18.5zM14 7l3 3" />
export const OutIcon = () => <Icon path="M13 5h6v6M19 5l-9 9M17 14v5H5V7h5" />
export const GlobeIcon = () => (
  <Icon path="M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM3.5 12h17M12 3.5c2.4 2.4 3.6 5.2 3.6 8.5s-1.2 6.1-3.6 8.5c-2.4-2.4-3.6-5.2-3.6-8.5s1.2-6.1 3.6-8.5z" />
)
export const SearchIcon = () => <Icon path="M11 17.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM16 16l4.5 4.5" />
export const SpinIcon = () => <Icon class="spin" path="M12 3.5a8.5 8.5 0 1 0 8.5 8.5" />
export const OfflineIcon = () => (
  <Icon path="M3 3l18 18M2.5 9a14 14 0 0 1 5-3M21.5 9a14 14 0 0 0-10-4M6 13a9 9 0 0 1 4-2.3M18 13a9 9 0 0 0-3-2M9.5 16.5a4 4 0 0 1 5 0M12 20v.1" />
)
export const BellIcon = () => <Icon path="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5a2.2 2.2 0 0 0 4 0" />
export const ShareIcon = () => <Icon path="M12 14.5V3.5M8 7l4-4 4 4M6 11H5v9.5h14V11h-1" />
export const ClipIcon = () => (
  <Icon path="m19 11.5-7.3 7.3a4.6 4.6 0 0 1-6.5-6.5l7.7-7.7a3.1 3.1 0 0 1 4.4 4.4l-7.6 7.5a1.5 1.5 0 0 1-2.2-2.1l6.9-6.9" />
)
export const CameraIcon = () => <Icon path="M4 8h3l1.5-2.5h7L17 8h3v11H4zM12 16.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4z" />
