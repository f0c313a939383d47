// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title Identity registry of agents after ERC-8004, for chains that have no canonical one
/// @notice An agent is an ERC-721 token whose URI names its registration file. The first agent has the id 0.
/// @dev Functions, events and the EIP-712 domain are those of the canonical registry; `registerFor` and `registrar` are added.
/// Minting never calls the owner, so a contract may own an agent without implementing a receiver.
contract AgentRegistry is ERC721URIStorage, EIP712 {
    struct MetadataEntry {
        string metadataKey;
        bytes metadataValue;
    }

    uint256 public constant MAX_DEADLINE_DELAY = 5 minutes;

    /// @dev Reserved metadata key. It is set only with a signature of the wallet, and read like any other entry.
    string private constant WALLET_KEY = "agentWallet";
    bytes32 private constant WALLET_KEY_HASH = keccak256(bytes(WALLET_KEY));
    bytes32 private constant WALLET_SET_TYPEHASH =
        keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)");
    bytes32 private constant REGISTRATION_TYPEHASH =
        keccak256("AgentRegistration(address owner,string agentURI,address agentWallet,uint256 deadline)");

    /// @notice The platform that registers agents for others, after its own proof of each owner.
    address public immutable registrar;

    uint256 private _nextId;
    mapping(uint256 agentId => mapping(string key => bytes)) private _metadata;
    mapping(uint256 agentId => address) private _wallets;
    mapping(bytes32 digest => bool) private _usedRegistrations;

    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);
    event MetadataSet(
        uint256 indexed agentId,
        string indexed indexedMetadataKey,
        string metadataKey,
        bytes metadataValue
    );
    event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);

    error NotAuthorized(address caller, uint256 agentId);
    error NotRegistrar(address caller);
    error ReservedKey();
    error BadWallet();
    error BadSignature();
    error DeadlinePassed(uint256 deadline);
    error DeadlineTooFar(uint256 deadline);
    error RegistrationUsed();

    /// @param registrar_ may be zero, then everybody registers only for itself
    constructor(address registrar_) ERC721("AgentIdentity", "AGENT") EIP712("ERC8004IdentityRegistry", "1") {
        registrar = registrar_;
    }

    modifier onlyAuthorized(uint256 agentId) {
        require(isAuthorizedOrOwner(msg.sender, agentId), NotAuthorized(msg.sender, agentId));
        _;
    }

    // ------------------------------------------------------------------ registration

    function register() external returns (uint256 agentId) {
        agentId = _register(msg.sender, "", msg.sender);
    }

    function register(string calldata agentURI) external returns (uint256 agentId) {
        agentId = _register(msg.sender, agentURI, msg.sender);
    }

    function register(
        string calldata agentURI,
        MetadataEntry[] calldata metadata
    ) external returns (uint256 agentId) {
        agentId = _register(msg.sender, agentURI, msg.sender);
        for (uint256 i; i < metadata.length; i++) {
            _setMetadata(agentId, metadata[i].metadataKey, metadata[i].metadataValue);
        }
    }

    /// @notice Mints an agent to `owner` with a wallet that agreed by signing
    /// `AgentRegistration(owner, agentURI, agentWallet, deadline)`. Each signature mints once. Callable by the registrar and the
    /// owner, so that nobody makes another the owner of an agent that is paid into a wallet of its own.
    function registerFor(
        address owner,
        string calldata agentURI,
        address agentWallet,
        uint256 deadline,
        bytes calldata signature
    ) external returns (uint256 agentId) {
        require(msg.sender == registrar || msg.sender == owner, NotRegistrar(msg.sender));
        bytes32 digest = _hashTypedDataV4(
            keccak256(abi.encode(REGISTRATION_TYPEHASH, owner, keccak256(bytes(agentURI)), agentWallet, deadline))
        );
        _checkProof(agentWallet, deadline, digest, signature);
        require(!_usedRegistrations[digest], RegistrationUsed());
        _usedRegistrations[digest] = true;
        agentId = _register(owner, agentURI, agentWallet);
    }

    // ------------------------------------------------------------------ updates

    function setAgentURI(uint256 agentId, string calldata newURI) external onlyAuthorized(agentId) {
        _setTokenURI(agentId, newURI);
        emit URIUpdated(agentId, newURI, msg.sender);
    }

    function setMetadata(
        uint256 agentId,
        string calldata metadataKey,
        bytes calldata metadataValue
    ) external onlyAuthorized(agentId) {
        _setMetadata(agentId, metadataKey, metadataValue);
    }

    /// @notice Changes the wallet to one that agreed by signing `AgentWalletSet(agentId, newWallet, owner, deadline)`.
    function setAgentWallet(
        uint256 agentId,
        address newWallet,
        uint256 deadline,
        bytes calldata signature
    ) external onlyAuthorized(agentId) {
        bytes32 digest = _hashTypedDataV4(
            keccak256(abi.encode(WALLET_SET_TYPEHASH, agentId, newWallet, ownerOf(agentId), deadline))
        );
        _checkProof(newWallet, deadline, digest, signature);
        _setWallet(agentId, newWallet);
    }

    function unsetAgentWallet(uint256 agentId) external onlyAuthorized(agentId) {
        _setWallet(agentId, address(0));
    }

    // ------------------------------------------------------------------ views

    function getMetadata(uint256 agentId, string calldata metadataKey) external view returns (bytes memory) {
        if (keccak256(bytes(metadataKey)) == WALLET_KEY_HASH) return _walletBytes(_wallets[agentId]);
        return _metadata[agentId][metadataKey];
    }

    /// @notice The wallet that is paid for this agent, or zero after a transfer.
    function getAgentWallet(uint256 agentId) external view returns (address) {
        _requireOwned(agentId);
        return _wallets[agentId];
    }

    function isAuthorizedOrOwner(address spender, uint256 agentId) public view returns (bool) {
        return _isAuthorized(_requireOwned(agentId), spender, agentId);
    }

    function getVersion() external pure returns (string memory) {
        return "2.0.0";
    }

    // ------------------------------------------------------------------ internal

    function _register(
        address owner,
        string memory agentURI,
        address agentWallet
    ) private returns (uint256 agentId) {
        agentId = _nextId++;
        _mint(owner, agentId);
        if (bytes(agentURI).length > 0) _setTokenURI(agentId, agentURI);
        emit Registered(agentId, agentURI, owner);
        _setWallet(agentId, agentWallet);
    }

    function _setMetadata(uint256 agentId, string calldata key, bytes calldata value) private {
        require(keccak256(bytes(key)) != WALLET_KEY_HASH, ReservedKey());
        _metadata[agentId][key] = value;
        emit MetadataSet(agentId, key, key, value);
    }

    function _setWallet(uint256 agentId, address wallet) private {
        _wallets[agentId] = wallet;
        emit MetadataSet(agentId, WALLET_KEY, WALLET_KEY, _walletBytes(wallet));
    }

    function _walletBytes(address wallet) private pure returns (bytes memory) {
        return wallet == address(0) ? bytes("") : abi.encodePacked(wallet);
    }

    /// @dev ECDSA recovery is tried before ERC-1271, because an account with delegated code (EIP-7702) still signs with its key.
    function _checkProof(address wallet, uint256 deadline, bytes32 digest, bytes calldata signature) private view {
        require(wallet != address(0), BadWallet());
        require(block.timestamp <= deadline, DeadlinePassed(deadline));
        require(deadline <= block.timestamp + MAX_DEADLINE_DELAY, DeadlineTooFar(deadline));
        (address signer, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(digest, signature);
        bool isSigner = failure == ECDSA.RecoverError.NoError && signer == wallet;
        require(
            isSigner || SignatureChecker.isValidERC1271SignatureNowCalldata(wallet, digest, signature),
            BadSignature()
        );
    }

    /// @dev Clears the payment wallet on transfer, because the new owner has not agreed to the old owner's wallet.
    function _update(address to, uint256 agentId, address auth) internal override(ERC721) returns (address from) {
        from = super._update(to, agentId, auth);
        if (from != address(0)) _setWallet(agentId, address(0));
    }
}
