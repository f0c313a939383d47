const Icon = ({ path }: { path: string }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
)

export const ChatIcon = () => <Icon path="M4 5h16v11H9l-5 4z" />
export const MarketIcon = () => <Icon path="M4 9h16l-1.5-5h-13zM5 9v11h14V9M10 20v-6h4v6" />
export const RankIcon = () => <Icon path="M5 20v-8M12 20V4M19 20v-5" />
export const PersonIcon = () => <Icon path="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c1-4 4-6 7.5-6s6.500 2 7.500 6" />
export const SendIcon = () => <Icon path="M5 12h14M13 6l6 6-6 6" />
export const CheckIcon = () => <Icon path="M5 12.500l4.500 4.500L19 7.500" />
export const CrossIcon = () => <Icon path="M6 6l12 12M18 6L6 18" />
export const ClockIcon = () => <Icon path="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.500 2" />
export const DownloadIcon = () => <Icon path="M12 4v11M7 11l5 5 5-5M5 20h14" />
export const SunIcon = () => (
  <Icon path="M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v1M12 20v1M3 12h1M20 12h1M5.600 5.600l.8.8M17.600 17.600l.8.8M5.600 18.400l.8-.8M17.600 6.400l.8-.8" />
)
export const PlusIcon = () => <Icon path="M12 5v14M5 12h14" />
export const OutIcon = () => <Icon path="M14 5h5v5M19 5l-8 8M10 6H5v13h13v-5" />
export const SearchIcon = () => <Icon path="M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.500 4.500" />
