// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice As the pegged USDC of BSC: 18 decimals, transfers and approvals, nothing that is signed.
contract PlainToken {
    string public constant name = "USD Coin";
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        return _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
        return true;
    }
}

/// @notice Takes authorizations, but its domain is not the one that its name and version make.
contract LyingToken {
    string public constant name = "USD Coin";
    string public constant version = "2";
    uint8 public constant decimals = 6;
    bytes32 public constant DOMAIN_SEPARATOR = keccak256("another domain");

    function authorizationState(address, bytes32) external pure returns (bool) {
        return false;
    }
}

/// @notice Registers whoever asks and nobody else, as the canonical identity registry does.
contract OwnRegistry {
    struct MetadataEntry {
        string metadataKey;
        bytes metadataValue;
    }

    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);
    event MetadataSet(
        uint256 indexed agentId,
        string indexed indexedMetadataKey,
        string metadataKey,
        bytes metadataValue
    );

    uint256 private last = 41;
    mapping(uint256 => address) public ownerOf;
    mapping(uint256 => string) public tokenURI;
    mapping(uint256 => mapping(string => bytes)) private _metadata;

    function register(string calldata agentURI, MetadataEntry[] calldata metadata) external returns (uint256 agentId) {
        agentId = ++last;
        ownerOf[agentId] = msg.sender;
        tokenURI[agentId] = agentURI;
        emit Registered(agentId, agentURI, msg.sender);
        for (uint256 i; i < metadata.length; i++) {
            MetadataEntry calldata entry = metadata[i];
            _metadata[agentId][entry.metadataKey] = entry.metadataValue;
            emit MetadataSet(agentId, entry.metadataKey, entry.metadataKey, entry.metadataValue);
        }
    }

    function getMetadata(uint256 agentId, string calldata key) external view returns (bytes memory) {
        return _metadata[agentId][key];
    }
}
